import { type ComponentType, createElement, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydrationContext } from '#app/platform/hydration.ts'

/** Makes the server's HTML of one island live, with the props and in the surroundings that it was rendered from. */
export function wake(element: HTMLElement, component: ComponentType<object>) {
  const props: object = JSON.parse(element.dataset['props'] ?? '{}')
  const native = element.cloneNode(true)
  const onAwake = () => void (element.dataset['awake'] = 'yes')
  const island = createElement(HydrationContext, { value: 'islands' }, createElement(component, props), createElement(Awake, { onAwake }))
  hydrateRoot(element, island, {
    // React would leave nothing of what failed; the HTML of the server, with what was typed so far, still works.
    onUncaughtError(error) {
      element.replaceChildren(...native.childNodes)
      reportError(error)
    },
  })
}

/** React makes HTML live when it finds the time: only an effect knows that it has. */
function Awake({ onAwake }: { onAwake: () => void }) {
  useEffect(onAwake)
  return null
}
