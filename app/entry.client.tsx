import { setNonce } from 'get-nonce'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'

// What puts style elements into the page, as the scroll lock of Radix does, takes its nonce from here.
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
