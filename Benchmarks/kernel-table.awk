# kernel-table.awk   one line per kernel and clock out of the boxes that ordo-one/benchmark draws.
BEGIN { FS = "│"; printf "%-56s%-5s%10s%10s%10s%10s%8s\n", "nanoseconds per unit", "", "p0", "p50", "p99", "p100", "runs" }
/^[A-Za-z].*, per / { name = $0 }
/wall clock|CPU of the thread/ {
    # Large values of a metric of one's own are told in thousands or millions.
    scale = $2 ~ /\(K\)/ ? 1e3 : $2 ~ /\(M\)/ ? 1e6 : 1
    printf "%-56s%-5s%10s%10s%10s%10s%8d\n", name, /wall/ ? "wall" : "CPU",
        scale * $3, scale * $5, scale * $8, scale * $9, $10
}
