require_relative "../measure"

def zz_lines
  cpu(5) do burn(0.2) end
  cpu(__LINE__) { burn(0.3) }
  cpu(__LINE__) { burn(0.4) }
end

zz_lines
MEASURED.shift
report_measured
