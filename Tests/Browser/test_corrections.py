"""What players correct, while servers die, networks go and files change."""

import os
import shutil
import subprocess
import tempfile
import time
import unittest

from browser import Device
from network import Network
from stand import HERE, Listener, Stand

SET, SONG = "ab" * 16, "cd" * 16


class CorrectionTests(unittest.TestCase):
    def setUp(self):
        self.stand = Stand()
        self.addCleanup(self.stand.stop)
        self.page = Device(self.stand.address)
        self.addCleanup(self.page.close)
        # When all bars are found, nothing comes but what the test does.
        self.page.until("return standTrace.sheets.score.systems.some(each => each.page === 3)", 60)
        self.score = self.page.run("return standTrace.sheets.score.id")

    def served(self, wanted):
        """The score as the server has it, once `wanted(score)` is true of it."""
        listener = Listener(self.stand.port)
        self.addCleanup(listener.close)
        end = time.monotonic() + 10
        while True:
            listener.messages = []
            listener.send({"type": "open", "score": self.score})
            while not (score := listener.last("score")) and time.monotonic() < end:
                time.sleep(0.02)
            if score and wanted(score):
                return score
            self.assertLess(time.monotonic(), end, f"{score and (score['first'], score['order'])}")
            time.sleep(0.2)

    def gone(self):
        self.stand.kill()
        self.page.until("return document.getElementById('state').textContent === 'No connection'", 10)

    def back(self):
        self.stand.start()
        self.page.until("return document.getElementById('state').textContent === ''", 20)

    def correct(self, first, order):
        self.page.run("""
            document.getElementById('bars-open').click();
            document.getElementById('bars-first').value = arguments[0];
            document.getElementById('bars-order').value = arguments[1];
            document.getElementById('bars-accept').click();""", first, order)

    def test_an_order_that_cannot_be_played_is_refused_and_one_that_can_clears_the_complaint(self):
        count = self.page.run("return standTrace.sheets.score.bars.length")
        self.page.run("document.getElementById('bars-open').click()")
        typed = """
            const field = document.getElementById('bars-order');
            field.value = arguments[0];
            field.dispatchEvent(new Event('change'));
            return document.getElementById('bars-note').textContent;"""
        for order, complaint in ((f"1-{count + 1}", f"There is no bar {count + 1}"), ("0-3", "There is no bar 0"),
                                 ("1-8 x", "“x” is not a range"), ("1 " * 2_100, "too long"), ("8-1", "Write 1-8")):
            self.assertIn(complaint, self.page.run(typed, order))
            # It is not accepted either: the panel stays.
            self.page.run("document.getElementById('bars-accept').click()")
            self.assertFalse(self.page.run("return document.getElementById('bars-bar').hidden"), order[:20])
        self.assertTrue(self.page.run(typed, f"1-{count} 1-2").startswith(f"{count} bars"))
        self.page.run("document.getElementById('bars-accept').click()")
        self.assertTrue(self.page.run("return document.getElementById('bars-bar').hidden"))
        self.assertEqual(self.served(lambda score: score["order"])["order"], f"1-{count} 1-2")

    def test_after_a_server_was_killed_the_page_hears_of_its_score_again_and_keeps_what_others_say(self):
        self.gone()
        self.back()
        listener = Listener(self.stand.port)
        listener.send({"type": "order", "score": self.score, "text": "1-8 1-7 9-16", "first": 1})
        self.page.until("return standTrace.sheets.score.order === '1-8 1-7 9-16'")
        # Where somebody says that all is right without a change, nothing is changed.
        self.page.run("document.getElementById('bars-open').click()")
        self.page.run("document.getElementById('bars-accept').click()")
        self.assertEqual(self.served(lambda score: score["accepted"])["order"], "1-8 1-7 9-16")
        listener.command("start")
        listener.command("jump", 9)
        self.page.until("return document.getElementById('bar').textContent === 'Bar 1'")

    def test_what_others_have_corrected_meanwhile_is_there_when_the_page_is_back(self):
        network = Network(self.stand.port)
        self.addCleanup(network.close)
        page = Device(f"http://127.0.0.1:{network.port}/")
        self.addCleanup(page.close)
        network.cut()
        page.until("return document.getElementById('state').textContent === 'No connection'", 15)
        self.correct("7", "7-20")
        self.served(lambda score: score["first"] == 7)
        self.assertEqual(page.run("return standTrace.sheets.score.first"), 1)
        network.heal()
        page.until("return standTrace.sheets.score.first === 7 && standTrace.sheets.score.order === '7-20'", 20)

    def test_what_is_corrected_without_a_server_is_said_to_wait_and_is_there_after_it(self):
        self.gone()
        self.correct("17", "17-24 17-23")
        self.assertIn("kept on this device", self.page.text("notice"))
        self.back()
        score = self.served(lambda score: score["first"] == 17)
        self.assertEqual([score["order"], score["accepted"]], ["17-24 17-23", True])
        self.page.driver.refresh()
        self.page.ready()
        self.assertEqual(self.page.run("return [standTrace.sheets.score.first, standTrace.sheets.score.order]"), [17, "17-24 17-23"])
        self.page.until("return Object.keys(localStorage).every(key => !key.startsWith('stand.change'))")

    def test_what_is_corrected_without_a_server_outlives_a_page_that_is_closed(self):
        self.gone()
        self.correct("17", "17-24 17-23")
        # A page that leaves does not tell the server anything any more.
        self.page.driver.get("about:blank")
        self.stand.start()
        self.page.driver.get(self.stand.address + "#trace")
        self.page.ready()
        self.assertEqual(self.served(lambda score: score["first"] == 17)["order"], "17-24 17-23")

    def test_set_lists_are_not_changed_without_a_server_and_a_score_that_was_chosen_opens_after_it(self):
        self.gone()
        self.page.click("library-open")
        self.page.find("set-new").click()
        self.assertIn("Nothing was changed", self.page.text("notice"))
        self.assertTrue(self.page.run("""
            const box = document.getElementById('notice').getBoundingClientRect();
            return document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2).id === 'notice';"""), "seen above the panel")
        self.page.run("[...document.querySelectorAll('#scores button')].find(each => each.textContent.startsWith('Song')).click()")
        self.assertIn("The score opens when", self.page.text("notice"))
        self.back()
        self.page.until("return document.getElementById('title').textContent === 'Song'")
        self.assertEqual(self.page.run("return document.querySelectorAll('#sets section').length"), 0)
        self.page.click("library-open")
        self.page.find("set-new").click()
        self.page.until("return Boolean(document.getElementById('set-done'))")
        self.assertEqual(self.page.complaints, [])


class LongScoreTests(unittest.TestCase):
    PAGES = 36

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        # The same pages again and again are pages to look at all the same.
        sonata = os.path.join(HERE, "scores/Sonata.pdf")
        subprocess.run(["pdfunite", *[sonata] * (self.PAGES // 3), os.path.join(folder.name, "Book.pdf")], check=True)
        self.stand = Stand(scores=folder.name)
        self.addCleanup(self.stand.stop)

    def test_bars_go_on_being_found_after_a_server_was_killed_meanwhile(self):
        page = Device(self.stand.address)
        self.addCleanup(page.close)
        known = "return new Set(standTrace.sheets.score.systems.map(each => each.page)).size"
        self.assertLess(page.run(known), self.PAGES, "some are still to be found")
        self.stand.kill()
        page.until("return document.getElementById('state').textContent === 'No connection'", 10)
        self.stand.start()
        page.until(f"{known} === {self.PAGES}", 120)


class FileTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "Song.pdf")
        shutil.copy(os.path.join(HERE, "scores/Song.pdf"), self.file)
        self.stand = Stand(scores=folder.name)
        self.addCleanup(self.stand.stop)
        self.page = Device(self.stand.address)
        self.addCleanup(self.page.close)
        self.score = self.page.run("return standTrace.sheets.score.id")

    def test_a_score_that_was_engraved_anew_is_shown_and_is_the_song_of_its_lists(self):
        listener = Listener(self.stand.port)
        listener.send({"type": "setlist", "do": "name", "set": SET, "name": "Gig"})
        listener.send({"type": "setlist", "do": "add", "set": SET, "song": SONG, "score": self.score})
        self.page.until("return document.querySelectorAll('#sets ol button').length === 1")
        shutil.copy(os.path.join(HERE, "scores/Sonata.pdf"), self.file)
        # Nobody looks at the folder: a picture that cannot be had is enough.
        self.page.run("document.querySelector('input[name=theme][value=dark]').click()")
        self.page.until("return standTrace.sheets.score.pages.length === 3", 20)
        self.assertIn("was saved anew", self.page.text("notice"))
        self.page.ready()
        self.assertNotEqual(self.page.run("return standTrace.sheets.score.id"), self.score)
        self.assertNotIn("no pages", self.page.text("sets"))
        listener.send({"type": "song", "id": SONG})
        self.page.until("return document.querySelector('#sets [aria-current]') !== null")
        self.assertEqual([self.page.text("title"), self.page.run("return standTrace.sheets.score.pages.length")], ["Song", 3])

    def test_a_file_that_is_gone_is_told_of(self):
        os.remove(self.file)
        self.page.run("document.querySelector('input[name=theme][value=dark]').click()")
        self.page.until("return document.getElementById('notice').textContent.includes('The file of “Song” is gone')", 20)
        self.assertEqual(self.page.run("return standTrace.sheets.score.id"), self.score, "the page stays")


if __name__ == "__main__":
    unittest.main()
