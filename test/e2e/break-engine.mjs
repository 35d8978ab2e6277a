// Loaded before the product: once it is told to, whatever the embedded engine asks of the machine ends it, as a fault in it would.
const { instantiate } = WebAssembly
let isBroken = false

process.on('SIGUSR2', () => {
  isBroken = true
})

WebAssembly.instantiate = (source, imports = {}) => {
  const breakable = Object.entries(imports).map(([name, parts]) => [name, name.startsWith('wasi') ? breakableParts(parts) : parts])
  return instantiate(source, Object.fromEntries(breakable))
}

function breakableParts(parts) {
  const wrap = (part) => (typeof part === 'function' ? breakablePart(part) : part)
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, wrap(part)]))
}

function breakablePart(part) {
  return (...args) => {
    if (isBroken) throw new WebAssembly.RuntimeError('unreachable')
    return part(...args)
  }
}
