require_relative "../measure"

4.times.map do |i|
  Thread.new do
    Thread.current.name = "worker-#{i}"
    burn(0.1 + i * 0.1)
    MEASURED << "worker-#{i}=#{cpu_ms.round}"
  end
end.each(&:join)
report_measured
