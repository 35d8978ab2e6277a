import { type ComponentType, createElement, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydrationContext } from '#app/platform/browser/hydration.ts'

/** Hydrates one island, with the props and context of its server rendering. */
export function wake(element: HTMLElement, component: ComponentType<object>) {
  const props: object = JSON.parse(element.dataset['props'] ?? '{}')
  const native = element.cloneNode(true)
  const onAwake = () => void (element.dataset['awake'] = 'yes')
  const island = createElement(HydrationContext, { value: 'islands' }, createElement(component, props), createElement(Awake, { onAwake }))
  hydrateRoot(element, island, {
    // React would clear the element after a failure; the server's HTML, with the text typed so far, still works.
    onUncaughtError(error) {
      element.replaceChildren(...native.childNodes)
      reportError(error)
    },
  })
}

/** React hydrates when it finds the time: only an effect knows that it is done. */
function Awake({ onAwake }: { onAwake: () => void }) {
  useEffect(onAwake)
  return null
}
