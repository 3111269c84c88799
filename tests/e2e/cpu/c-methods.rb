require_relative "../measure"

# Repeats a call until this thread has used 0.4 s in it.
def repeat(name)
  stop = cpu_ms + 400
  cpu(name) { yield until cpu_ms > stop }
end

numbers = Array.new(30_000) { |i| i * 7919 % 10_007 }
text = "ab" * 200_000
repeat("Array#sort") { numbers.sort }
repeat("String#tr") { text.tr("a", "b") }
report_measured
