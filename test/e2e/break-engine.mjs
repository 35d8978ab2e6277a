// Loaded before the product: after a signal, the embedded engine's next system call ends it, like a fault in the engine.
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
