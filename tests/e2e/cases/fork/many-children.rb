require_relative "../../burn"
20.times { |i| define_method(format("zz_child_%02d", i + 1)) { burn(0.08) } } rescue nil
20.times { |i| eval format("def zz_child_%02d = burn(0.08)", i + 1) }
r, w = IO.pipe
pids = Array.new(20) do |i|
  fork { w.close; send(format("zz_child_%02d", i + 1)); r.read }
end
r.close
sleep 2
w.close
pids.each { |q| Process.wait q; exit 9 unless $?.success? }
