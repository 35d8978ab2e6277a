/** Creates a format of `Intl` at its first use: each takes milliseconds, and most pages use few of them. */
export function laterFormat<Format>(make: () => Format): () => Format {
  let made: Format | undefined
  return () => (made ??= make())
}
