/** In characters: more makes the page slow, and no one reads it here. */
const MOST_SHOWN = 20_000

/** Sends the requests of "Try it" from the page, with the reader's key. The key is in memory only, and the same in every form. */
export function tryRequests(element: HTMLElement): () => void {
  const keys = [...element.querySelectorAll<HTMLInputElement>('[data-try-key]')]
  const onInput = ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement) || !keys.includes(target)) return
    for (const key of keys) if (key !== target) key.value = target.value
  }
  const onSubmit = (event: SubmitEvent) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || !form.matches('[data-try]')) return
    event.preventDefault()
    event.stopPropagation()
    void send(form)
  }
  element.addEventListener('input', onInput)
  // Earlier than a router, which would open the address of the form.
  element.addEventListener('submit', onSubmit, { capture: true })
  return () => {
    element.removeEventListener('input', onInput)
    element.removeEventListener('submit', onSubmit, { capture: true })
  }
}

async function send(form: HTMLFormElement): Promise<void> {
  const { sending = '', nokey = '', failed = '', signedin } = form.dataset
  const status = form.querySelector<HTMLElement>('[data-try-status]')
  const body = form.querySelector<HTMLElement>('[data-try-body]')
  const key = form.querySelector<HTMLInputElement>('[data-try-key]')?.value.trim() ?? ''
  if (!status || !body || form.ariaBusy === 'true') return
  body.hidden = true
  if (!key && !signedin) {
    status.textContent = nokey
    form.querySelector<HTMLInputElement>('[data-try-key]')?.focus()
    return
  }
  form.ariaBusy = 'true'
  status.textContent = sending
  const began = performance.now()
  try {
    const response = await fetch(addressOf(form), key ? { headers: { authorization: `Bearer ${key}` }, credentials: 'omit' } : {})
    const text = await bodyOf(response, form.dataset)
    status.textContent = [
      `${response.status} ${response.statusText}`.trim(),
      `${Math.round(performance.now() - began)} ms`,
      response.headers.get('content-type')?.split(';')[0] ?? '',
    ]
      .filter(Boolean)
      .join(' · ')
    body.textContent = text
    body.hidden = false
  } catch {
    // Offline, or the key has characters that no header can carry.
    status.textContent = failed
  } finally {
    form.ariaBusy = 'false'
  }
}

/** The path of the form with those of its fields that have a value. */
function addressOf(form: HTMLFormElement): string {
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (typeof value === 'string' && value.trim() !== '') query.append(name, value.trim())
  const path = form.dataset['path'] ?? ''
  return query.size > 0 ? `${path}?${query}` : path
}

async function bodyOf(response: Response, { file = '', cut = '' }: DOMStringMap): Promise<string> {
  const type = response.headers.get('content-type') ?? ''
  const isText = /json|^text\//.test(type) && !response.headers.has('content-disposition')
  if (!isText) {
    await response.body?.cancel()
    const length = response.headers.get('content-length')
    return [file, ...(length ? [`content-length: ${length}`] : []), `etag: ${response.headers.get('etag') ?? ''}`].join('\n')
  }
  const text = formatted(await response.text(), type)
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN).toWellFormed()}\n… ${cut}` : text
}

function formatted(text: string, type: string): string {
  if (!/json(;|$)/.test(type) || type.includes('ndjson')) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
