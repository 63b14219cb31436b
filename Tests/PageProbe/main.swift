import ScorePages

// Decodes a picture as `musicstand` does when it calls itself.
ImageDecodingProcess.runIfAsked()
