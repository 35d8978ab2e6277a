// While developing: a page without a client router shows what has changed by being loaded again.
import.meta.hot?.on('winnow:server-changed', () => {
  if (!('__reactRouterContext' in window)) location.reload()
})
