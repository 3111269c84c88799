require_relative "../measure"
used = 0
5_000.times do |i|
  eval "class Holder_#{i}; def self.zz_#{i} = burn(0.0004); end"
  started = cpu_ms
  Object.const_get("Holder_#{i}").send("zz_#{i}")
  used += cpu_ms - started
  Object.send(:remove_const, "Holder_#{i}")
  GC.start if i % 200 == 199
end
puts used.round
