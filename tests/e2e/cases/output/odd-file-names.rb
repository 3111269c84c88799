require_relative "../../burn"
require "erb"
names = ["dir;semi/x.erb", "two\nlines.rb", "日本語/ファイル.rb", "bad\xFF\xFEname.rb", "sp ace 12.rb", "", "(eval at \"q\":1)\t\\"]
names.each_with_index { |n, i| eval("def zz_f#{i} = burn(0.1)", TOPLEVEL_BINDING, n, 1) }
names.each_index { |i| send("zz_f#{i}") }
def zz_erb = burn(0.1)
e = ERB.new("<% zz_erb %>")
e.filename = "app/views/a;b\n.html.erb"
e.result
