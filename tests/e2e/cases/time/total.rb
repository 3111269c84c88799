require_relative "../../burn"
cpu = -> { Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) * 1000 }
c0 = cpu.call
t = Array.new(2) { Thread.new { 20.times { burn(0.01); sleep 0.001 } } }
(1..120_000).map { |i| (i * 7919) % 10_007 }.sort_by { |x| -x }
("a".."zzz").each_slice(7).map(&:join).sum(&:size)
burn(0.5)
t.each(&:join)
c1 = cpu.call
print (c1 - c0).round, " ", c1.round
