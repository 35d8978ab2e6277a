import { ApiError, readProblem } from './api.ts'

/** A file that did not reach the server; `detail` is a message for the user. */
export class UploadFailure extends Error {
  readonly detail: string

  constructor(detail: string) {
    super(detail)
    this.name = 'UploadFailure'
    this.detail = detail
  }
}

type Upload = { url: string; file: File; type: string; onProgress: (share: number) => void }

/**
 * Uploads a file as the request body, and returns the text of the response. `onProgress` gets the share sent, from 0 to 1. Rejects with
 * `UploadFailure` or `ApiError`, which both have a `detail`.
 */
export async function postFile({ url, file, type, onProgress }: Upload): Promise<string> {
  const request = new XMLHttpRequest()
  request.open('POST', url)
  request.setRequestHeader('content-type', type)
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
  await sent(request, file)
  if (request.status === 201) return request.responseText
  throw new ApiError(request.status, request.responseText || request.statusText, readProblem(request.responseText))
}

/** Uses XMLHttpRequest, because `fetch` reports no upload progress. */
function sent(request: XMLHttpRequest, file: File): Promise<void> {
  return new Promise((resolve, reject) => {
    request.addEventListener('load', () => resolve())
    for (const event of ['error', 'abort', 'timeout']) {
      request.addEventListener(event, () => reject(new UploadFailure('Upload failed. Check your connection and try again.')))
    }
    request.send(file)
  })
}
