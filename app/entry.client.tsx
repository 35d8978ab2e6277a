import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'

// The library that stops the page behind a menu from scrolling looks here for the nonce of its style element.
Reflect.set(globalThis, '__webpack_nonce__', document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce)

startTransition(() => {
  hydrateRoot(document, <HydratedRouter />)
})
