import { tryRequests } from './try-request.ts'

/** Where the browser remembers the language of the examples. */
const LANGUAGE = 'winnow.docs-language'

/** The code of the documentation: a copy button for each block, one language for all examples, and requests with the reader's key. */
export function docsCode(element: HTMLElement) {
  openTarget(element)
  const ends = [addCopyButtons(element), shareLanguage(element), tryRequests(element)]
  return () => {
    for (const end of ends) end()
  }
}

/** Not every browser opens the section that an address names, and none does after a navigation in the page. */
function openTarget(element: HTMLElement): void {
  const target = location.hash && document.getElementById(location.hash.slice(1))
  const section = target && element.contains(target) ? target.closest('details') : null
  if (!section || section.open) return
  section.open = true
  section.scrollIntoView()
}

function addCopyButtons(element: HTMLElement): () => void {
  const { copy = '', copied = '', failed = '' } = element.querySelector<HTMLElement>('[data-copy]')?.dataset ?? {}
  // Browsers offer no clipboard on plain HTTP.
  const device: Partial<Navigator> = navigator
  const { clipboard } = device
  if (!clipboard) return () => undefined
  const frames = Array.from(element.querySelectorAll('.post pre'), (block) => {
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
    const frame = Object.assign(document.createElement('div'), { className: 'code-frame' })
    block.replaceWith(frame)
    frame.append(block, button)
    return { block, frame }
  })
  return () => {
    for (const { block, frame } of frames) frame.replaceWith(block)
  }
}

/** A choice in one example holds for all, and for the next visit. */
function shareLanguage(element: HTMLElement): () => void {
  const inputs = [...element.querySelectorAll<HTMLInputElement>('[data-code-tabs] input[type=radio]')]
  const choose = (language: string) => {
    for (const input of inputs) if (input.value === language) input.checked = true
  }
  const onChange = ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement) || !inputs.includes(target)) return
    choose(target.value)
    remember(target.value)
  }
  choose(remembered())
  element.addEventListener('change', onChange)
  return () => element.removeEventListener('change', onChange)
}

/** Some browsers have no storage in a private window. */
function remembered(): string {
  try {
    return localStorage.getItem(LANGUAGE) ?? ''
  } catch {
    return ''
  }
}

function remember(language: string): void {
  try {
    localStorage.setItem(LANGUAGE, language)
  } catch {
    // The choice holds until the page is left.
  }
}
