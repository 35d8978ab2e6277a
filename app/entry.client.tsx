import { setNonce } from 'get-nonce'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'

// Libraries that add style elements to the page, such as the scroll lock of Radix, read this nonce.
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce
if (nonce) setNonce(nonce)

/** This file also has the router, which the pages import: it may run before the last of their scripts, which names the modules of the routes. */
function hydrateWithRoutes() {
  if (!('__reactRouterRouteModules' in window)) {
    setTimeout(hydrateWithRoutes)
    return
  }
  startTransition(() => {
    hydrateRoot(document, <HydratedRouter />)
  })
}

hydrateWithRoutes()
