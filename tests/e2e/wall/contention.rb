# One thread holds the GVL in C for 400 ms; the other comes back from a sleep of 50 ms meanwhile.
require_relative "../measure"
require ARGV[0]

def zz_waiter = Probe.sleep_nogvl(50)

waiter = Thread.new do
  Thread.current.name = "waiter"
  started = wall_ms
  zz_waiter
  wall_ms - started - 50
end
sleep 0.01
Probe.busy_gvl(400)
puts waiter.value.round
