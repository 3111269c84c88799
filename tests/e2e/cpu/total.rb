# Prints the CPU time of the process at its very end: threads, GC, C calls, waits.
require_relative "../measure"
at_exit { puts clock_ms(Process::CLOCK_PROCESS_CPUTIME_ID).round }
threads = Array.new(2) { Thread.new { 20.times { burn(0.01); sleep 0.001 } } }
150_000.times.map { |i| (i * 7919) % 10_007 }.sort_by { |x| -x }
("a".."zzz").each_slice(7).map(&:join).sum(&:size)
burn(0.8)
threads.each(&:join)
