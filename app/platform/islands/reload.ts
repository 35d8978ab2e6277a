// Development only: a page without a client router reloads to show changes.
import.meta.hot?.on('winnow:server-changed', () => {
  if (!document.documentElement.hasAttribute('data-live')) location.reload()
})
