import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'

// The scroll-lock library of the menus reads the nonce of its style element from here.
Reflect.set(globalThis, '__webpack_nonce__', document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce)

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
