import { stop } from '#app/platform/errors/stop.ts'

/** The fields of a form that a browser sends without script. Of a repeated field, the last one counts. */
export async function readForm(request: Request): Promise<Record<string, string>> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    stop('unknownMedia', 'Send the fields of the form as application/x-www-form-urlencoded.')
  return Object.fromEntries(new URLSearchParams(await request.text()))
}
