/** Lines as they end with a line feed: Node's readline also splits at characters that JSON may contain. `endsAnywhere`: the last one may lack its own. */
export async function* linesIn(text: AsyncIterable<string>, { endsAnywhere = false } = {}): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of text) {
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (endsAnywhere) yield rest
}
