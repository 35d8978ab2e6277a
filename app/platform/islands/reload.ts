// Development only: a page without a client router reloads to show changes.
import.meta.hot?.on('winnow:server-changed', () => {
  if (!('__reactRouterContext' in window)) location.reload()
})
