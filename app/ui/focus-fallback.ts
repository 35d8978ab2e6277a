import { useEffect } from 'react'

/** The elements that can take the focus of a control inside them. */
const PLACE = 'li, tr, article, section, form, fieldset, dialog, main, [role=group], [role=region]'

/**
 * Moves the focus to the nearest element around a control that is removed while it has the focus: a button that disappears after its action, or the
 * opener of a closed dialog. Otherwise the browser moves it to the document, and keyboards and screen readers start over at the top. A list that
 * focuses another row itself comes first.
 */
export function useFocusFallback(): void {
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
      // A click outside of all controls, or another page: the focus is meant to leave.
      if (isShown(last) || location.pathname !== path) around = []
      else around.some((place) => place.matches(PLACE) && isShown(place) && takesFocus(place))
    }
    const ask = () => {
      if (isAsked || around.length === 0 || document.activeElement !== document.body) return
      isAsked = true
      // Other code may set the focus in this frame.
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

/** Focuses an element without adding it to the Tab order. Returns `false` if it cannot have the focus, such as behind a dialog. */
function takesFocus(place: Element): boolean {
  if (!(place instanceof HTMLElement)) return false
  if (!place.hasAttribute('tabindex')) {
    place.tabIndex = -1
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true })
  }
  place.focus({ preventScroll: true })
  return document.activeElement === place
}
