# Threads that work, wait and fight; each notes its life, which begins with its creation: before its first line it
# waits for the GVL, a tenth of a second for each busy thread before it.
require_relative "../measure"

def live(name, sec)
  born = wall_ms
  Thread.new do
    Thread.current.name = name
    yield(wall_ms + sec * 1000)
    MEASURED << "#{name}=#{(wall_ms - born).round}"
  end
end

queue = Queue.new
threads = [
  live("busy-1", 1.0) { |stop| burn(0.02) while wall_ms < stop },
  live("busy-2", 0.8) { |stop| burn(0.02) while wall_ms < stop },
  live("sleeper", 0.7) { |stop| sleep 0.05 while wall_ms < stop },
  live("popper", 0.6) { queue.pop },
  live("switcher", 0.9) { |stop| Thread.pass while wall_ms < stop },
  live("pusher", 0.6) { sleep 0.6; queue << 1 },
]
threads.each(&:join)
report_measured
