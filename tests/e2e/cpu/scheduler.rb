# A minimal fiber scheduler: fibers that sleep take turns.
require_relative "../measure"

class TurnTaker
  def initialize = @ready = []
  def block(*) = Fiber.yield
  def unblock(_, fiber) = @ready << fiber
  def kernel_sleep(*) = (@ready << Fiber.current; Fiber.yield)
  def io_wait(_, events, _) = events
  def fiber(&block) = Fiber.new(blocking: false, &block).tap(&:resume)
  def fiber_interrupt(*) = nil
  def close = (@ready.shift.resume until @ready.empty?)
  alias run close
end

SPENT = Hash.new(0)

def spend(name, sec)
  started = cpu_ms
  yield sec
  SPENT[name] += cpu_ms - started
end

def zz_first(sec) = burn(sec)
def zz_second(sec) = burn(sec)

Thread.new do
  Fiber.set_scheduler(TurnTaker.new)
  Fiber.schedule { 20.times { spend(:first, 0.01) { |s| zz_first(s) }; sleep 0.001 } }
  Fiber.schedule { 20.times { spend(:second, 0.02) { |s| zz_second(s) }; sleep 0.001 } }
end.join
puts SPENT.map { |name, ms| "#{name}=#{ms.round}" }.join(" ")
