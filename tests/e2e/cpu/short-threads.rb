require_relative "../measure"

def zz_tiny = burn(0.0003)

used = 0
500.times do
  Array.new(10) { Thread.new { started = cpu_ms; zz_tiny; cpu_ms - started } }.each { |t| used += t.value }
end
puts used.round
