/** Adds a copy button to each code block. */
export function copyCode(element: HTMLElement) {
  const { copy = '', copied = '', failed = '' } = element.querySelector<HTMLElement>('[data-copy]')?.dataset ?? {}
  // Browsers offer no clipboard on plain HTTP.
  const device: Partial<Navigator> = navigator
  const { clipboard } = device
  if (!clipboard) return undefined
  const buttons = Array.from(element.querySelectorAll('pre'), (block) => {
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: copy, className: 'copy-code' })
    const tell = (text: string) => {
      button.textContent = text
      setTimeout(() => (button.textContent = copy), 2000)
    }
    button.addEventListener('click', () => {
      clipboard.writeText(block.querySelector('code')?.textContent ?? '').then(
        () => tell(copied),
        () => tell(failed),
      )
    })
    button.setAttribute('aria-live', 'polite')
    block.after(button)
    return button
  })
  return () => {
    for (const button of buttons) button.remove()
  }
}
