// Shows notifications of the workspace, also when no page of it is open. It stores nothing and intercepts no request.

self.addEventListener('push', (event) => {
  const { title, body, link, tag } = event.data ? event.data.json() : {}
  if (!title) return
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon: '/icon-192.png', data: { link } }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.link))
})

/** In a window that is open already, or in a new one; only on this site. */
async function open(link) {
  const target = new URL(link ?? '/notifications', self.location.origin)
  if (target.origin !== self.location.origin) return
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  for (const client of windows) {
    if (new URL(client.url).href === target.href) return client.focus()
  }
  return self.clients.openWindow(target.href)
}
