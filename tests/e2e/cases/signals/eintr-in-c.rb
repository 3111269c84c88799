require "fiddle"
require_relative "../../burn"
libc = Fiddle.dlopen(nil)
P, I, L = Fiddle::TYPE_VOIDP, Fiddle::TYPE_INT, Fiddle::TYPE_LONG
calls = [false, true].flat_map do |gvl|
  f = ->(n, a) { Fiddle::Function.new(libc[n], a, I, need_gvl: gvl) }
  poll, usleep, select = f["poll", [P, L, I]], f["usleep", [I]], f["select", [I, P, P, P, P]]
  [["poll gvl=#{gvl}", -> { poll.call(nil, 0, 90) }, 0.09],
   ["usleep gvl=#{gvl}", -> { usleep.call(60_000) }, 0.06],
   ["select gvl=#{gvl}", -> { select.call(0, nil, nil, nil, [0, 80_000].pack("l!l!")) }, 0.08]]
end
stop = false
busy = Thread.new { burn(0.01) until stop }
bad = []
4.times do
  calls.each do |name, c, sec|
    t = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    r = c.call
    el = Process.clock_gettime(Process::CLOCK_MONOTONIC) - t
    bad << [name, r, el.round(3)] if r != 0 || el < sec * 0.98
  end
end
stop = true
busy.join
print bad.first(3).inspect
