# Two threads hand a token to and fro, 50 frames deep; prints the milliseconds.
def zz_deep(n, &b) = n.zero? ? b.call : zz_deep(n - 1, &b)

there, back = Queue.new, Queue.new
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
other = Thread.new { zz_deep(50) { 60_000.times { there.pop; back << 1 } } }
zz_deep(50) { 60_000.times { there << 1; back.pop } }
other.join
puts ((Process.clock_gettime(Process::CLOCK_MONOTONIC) - started) * 1000).round
