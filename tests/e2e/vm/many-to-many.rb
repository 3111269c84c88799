# Threads that work, wait in select and in queues, and are interrupted meanwhile.
require_relative "../measure"

def zz_work = burn(0.005)

used = Queue.new
queue = Queue.new
threads = 8.times.map do |i|
  Thread.new do
    40.times do |j|
      started = cpu_ms
      zz_work
      used << cpu_ms - started
      (i + j).odd? ? sleep(0.001) : IO.select(nil, nil, nil, 0.001)
      queue << 1
      queue.pop
    end
  end
end
threads.each { |t| 10.times { t.wakeup if t.alive? && t.stop?; Thread.pass } }
threads.each(&:join)
puts Array.new(used.size) { used.pop }.sum.round
