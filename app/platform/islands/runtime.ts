/**
 * Wakes the islands of a page. It is the only script that an `islands` page loads at first, so it stays tiny:
 * an island names its module, what to load with it, and when to wake.
 */
async function wake(element: HTMLElement) {
  const { island, preload, awake } = element.dataset
  if (!island || awake) return
  element.dataset['awake'] = 'soon'
  for (const href of preload?.split(' ') ?? []) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
  }
  try {
    const module: { default: (element: HTMLElement) => void } = await import(/* @vite-ignore */ island)
    module.default(element)
  } catch (error) {
    // Offline for a moment, or a release in between: the HTML works without script, and the next touch tries again.
    delete element.dataset['awake']
    reportError(error)
  }
}

function wakeWhenTouched(element: HTMLElement) {
  // A finger is a pointer as well.
  for (const touch of ['focusin', 'pointerover']) element.addEventListener(touch, () => void wake(element))
  // The focus may already be inside: a Tab or tap can come before this script.
  if (element.contains(document.activeElement)) void wake(element)
}

function wakeWhenSeen(element: HTMLElement) {
  new IntersectionObserver((seen, watch) => {
    if (!seen.some((entry) => entry.isIntersecting)) return
    watch.disconnect()
    void wake(element)
  }).observe(element)
}

/** Within 2 s also in a browser that is never idle. */
function whenIdle(act: () => void) {
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: 2000 })
  else setTimeout(act, 200)
}

function isAwaited(early = ''): boolean {
  try {
    return localStorage.getItem(early) !== null
  } catch {
    return false
  }
}

/** Marks an element out of view with `data-still`, so that its style sheet can pause its animations. */
function pauseUnseen(element: Element) {
  new IntersectionObserver((seen) => {
    element.toggleAttribute('data-still', seen.at(-1)?.isIntersecting === false)
  }).observe(element)
}

for (const element of document.querySelectorAll<HTMLElement>('[data-island]')) {
  const { on, early } = element.dataset
  if (on === 'visible') wakeWhenSeen(element)
  else if (on === 'touch') wakeWhenTouched(element)
  // Local storage is on a disk: reading it can wait until the page is painted.
  if (on === 'idle' || early) whenIdle(() => (on === 'idle' || isAwaited(early)) && void wake(element))
}

/** A form that the browser sends itself names the page before its own, as the forms with script do. Nothing is stored. */
window.addEventListener('submit', ({ target, defaultPrevented }) => {
  if (defaultPrevented || !(target instanceof HTMLFormElement) || target.method !== 'post' || !document.referrer) return
  target.addEventListener('formdata', ({ formData }) => formData.set('referrer', document.referrer), { once: true })
})

for (const element of document.querySelectorAll('[data-motion]')) pauseUnseen(element)
