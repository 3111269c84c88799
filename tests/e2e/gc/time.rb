# A heap that is worth marking and garbage that is worth sweeping; prints the VM's own figure of the
# time in GC.
require_relative "../measure"
keep = Array.new(300_000) { |i| "kept #{i}" }
stop = cpu_ms + 1000
garbage = Array.new(50_000) { +"x" } until cpu_ms > stop
4.times { GC.start }
puts GC.stat(:time)
keep.size + garbage.size
