require_relative "../measure"

SEC = 0.2

def later(&block) = Thread.new { sleep SEC; block.call }
def zz_sleep = sleep(SEC)
def zz_join = later {}.join
def zz_queue = (q = Queue.new; later { q << 1 }; q.pop)
def zz_select = (r, w = IO.pipe; IO.select([r], nil, nil, SEC); w.close)
def zz_condition = (m = Mutex.new; m.synchronize { ConditionVariable.new.wait(m, SEC) })
def zz_read = (r, w = IO.pipe; later { w.close }; r.read)
def zz_child = Process.wait(spawn("sleep", SEC.to_s))


# A block of a method comes from the VM as the method itself: what another thread does stands outside of zz_mutex.
def hold(mutex, taken) = Thread.new { mutex.synchronize { taken << 1; sleep SEC } }

def zz_mutex
  m = Mutex.new
  taken = Queue.new
  hold(m, taken)
  taken.pop
  m.synchronize {}
end

%i[sleep join queue select condition read child mutex].each { |name| wall(name) { send("zz_#{name}") } }
report_measured
