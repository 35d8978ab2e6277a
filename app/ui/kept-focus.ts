import { useEffect } from 'react'

/** The parts of a page that can stand in for a control of theirs. */
const PLACE = 'li, tr, article, section, form, fieldset, dialog, main, [role=group], [role=region]'

/**
 * Keeps the focus near a control that leaves the page with it: a button that is gone after its work, or the opener of a dialog that closes. The
 * browser would let it fall to the page, and a keyboard or a screen reader would begin at the top. Lists that know the row in its place go first.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let around: Element[] = []
    let path = ''
    let isAsked = false
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      around = [...ancestorsOf(target)]
      path = location.pathname
    }
    const check = () => {
      isAsked = false
      const [last] = around
      if (!last || document.activeElement !== document.body) return
      // A click beside everything, or another page: both leave the focus on purpose.
      if (isShown(last) || location.pathname !== path) around = []
      else around.some((place) => place.matches(PLACE) && isShown(place) && takesFocus(place))
    }
    const ask = () => {
      if (isAsked || around.length === 0 || document.activeElement !== document.body) return
      isAsked = true
      // After the frame in which other code gives the focus to something of its own.
      requestAnimationFrame(() => requestAnimationFrame(check))
    }
    const observer = new MutationObserver(ask)
    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', remember)
    document.addEventListener('focusout', ask)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', remember)
      document.removeEventListener('focusout', ask)
    }
  }, [])
}

/** The element itself first. */
function* ancestorsOf(element: Element | null): Generator<Element> {
  if (!element) return
  yield element
  yield* ancestorsOf(element.parentElement)
}

const isShown = (element: Element) => element.isConnected && element.checkVisibility()

/** Focuses a part of the page, which is no stop of the Tab key. Returns `false` where it cannot have the focus, such as behind a dialog. */
function takesFocus(place: Element): boolean {
  if (!(place instanceof HTMLElement)) return false
  if (!place.hasAttribute('tabindex')) {
    place.tabIndex = -1
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true })
  }
  place.focus({ preventScroll: true })
  return document.activeElement === place
}
