/** Does the work that the server demands of a network that books often, and sends the form again with the result. */
export function proveAndSend(element: HTMLElement) {
  const asked = element.querySelector<HTMLElement>('[data-challenge]')?.dataset['challenge']
  const form = element.querySelector<HTMLFormElement>('form#details')
  if (!asked || !form) return
  void solveAndSend(form, asked)
}

async function solveAndSend(form: HTMLFormElement, asked: string) {
  const { solveProof } = await import('#app/platform/browser/solve-proof.ts')
  const proof = await solveProof(JSON.parse(asked))
  const field = form.querySelector<HTMLInputElement>('input[name="proof"]')
  const button = form.querySelector<HTMLButtonElement>('button[value="book"]')
  // A machine that cannot do it leaves the sentence, with the way to write to us.
  if (!proof || !field || !button) return
  field.value = JSON.stringify(proof)
  form.requestSubmit(button)
}
