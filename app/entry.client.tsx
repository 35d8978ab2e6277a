import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'

// The scroll-lock library of the menus reads the nonce of its style element from here.
Reflect.set(globalThis, '__webpack_nonce__', document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce)

startTransition(() => {
  hydrateRoot(document, <HydratedRouter />)
})
