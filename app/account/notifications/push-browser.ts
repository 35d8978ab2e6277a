import { z } from 'zod/mini'
import { apiRequest } from '#app/platform/browser/api.ts'
import { PUSH_DEVICES, type PushDevice, pushSubscriptionBody } from './preference.ts'

const WORKER = '/push-worker.js'

/** `unsupported`: this browser, or this address without https, has no push. `denied`: its settings refuse notifications from this site. */
export type PushState = 'unsupported' | 'denied' | 'off' | 'on'

/** Whether this browser shows notifications. It may hold a subscription of an earlier sign-in, which no longer counts. */
export async function readPushState(devices: readonly PushDevice[]): Promise<{ state: PushState; own?: PushDevice | undefined }> {
  if (!isSupported()) return { state: 'unsupported' }
  if (Notification.permission === 'denied') return { state: 'denied' }
  const registration = await navigator.serviceWorker.getRegistration(WORKER)
  const subscription = await registration?.pushManager.getSubscription()
  const hash = subscription && (await hashOf(subscription.endpoint))
  const own = devices.find((device) => device.hash === hash)
  return { state: own ? 'on' : 'off', own }
}

/** Asks for the permission, subscribes and tells the server. Returns the state afterwards. */
export async function turnPushOn(publicKey: string): Promise<PushState> {
  if ((await Notification.requestPermission()) === 'denied') return 'denied'
  if (Notification.permission !== 'granted') return 'off'
  const registration = await navigator.serviceWorker.register(WORKER)
  await navigator.serviceWorker.ready
  const subscription = await subscribe(registration, publicKey)
  await apiRequest('POST', PUSH_DEVICES, z.parse(pushSubscriptionBody, subscription.toJSON()))
  return 'on'
}

/** Tells the server first: without the network, the browser stays subscribed, and the button still says so. */
export async function turnPushOff(device: PushDevice): Promise<void> {
  await apiRequest('DELETE', `${PUSH_DEVICES}/${device.id}`)
  const registration = await navigator.serviceWorker.getRegistration(WORKER)
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}

/** A subscription with another key, from before the installation had new ones, has to end first. */
async function subscribe(registration: ServiceWorkerRegistration, publicKey: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  const present = await registration.pushManager.getSubscription()
  try {
    return await registration.pushManager.subscribe(options)
  } catch (error) {
    if (!present) throw error
    await present.unsubscribe()
    return registration.pushManager.subscribe(options)
  }
}

function isSupported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

async function hashOf(endpoint: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
