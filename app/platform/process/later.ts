/** Computes a value at its first use: for what takes milliseconds, and what most starts or pages do not need. */
export function later<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}
