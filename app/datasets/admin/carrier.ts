import { PIECE_TYPE } from '#app/datasets/import/piece.ts'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { ApiError, apiRequest } from '#app/platform/browser/api.ts'
import { problem } from '#app/platform/problem.ts'
import { z } from 'zod/mini'
import { type Arrived, type Carrier, type Piece, Setback } from './sender.ts'

const uploadUrl = (id: string) => `/api/uploads/${encodeURIComponent(id)}`
const begun = z.object({ id: z.string(), received: z.number() })

/** With a `sha256`, the server refuses a file that differs. */
export type Begin = { productId: string; fileName: string; bytes: number; changes: string; sha256: string | undefined }

export async function requestUpload({ productId, ...file }: Begin): Promise<z.infer<typeof begun>> {
  const answer = await apiRequest('POST', `${PRODUCTS}/${encodeURIComponent(productId)}/uploads`, file)
  return begun.parse(await answer.json())
}

/** Deletes a partial upload. It is fine if it is gone already. */
export async function requestUploadDeletion(id: string): Promise<void> {
  try {
    await apiRequest('DELETE', uploadUrl(id))
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
  }
}

/** Sends chunks by HTTP. Network errors and a busy or starting server are setbacks to retry; a refusal is final. */
export function carrierOf(id: string): Carrier {
  return {
    async find() {
      try {
        return arrived((await apiRequest('GET', uploadUrl(id))).headers.get('upload-offset'))
      } catch (error) {
        throw asSetback(error)
      }
    },
    async send(piece) {
      const request = await sent(uploadUrl(id), piece)
      if (request.status < 300 || request.status === 409) return arrived(request.getResponseHeader('upload-offset'))
      throw asSetback(new ApiError(request.status, request.responseText || request.statusText, readProblem(request.responseText)))
    },
  }
}

function arrived(offset: string | null): Arrived {
  if (offset === null || !/^\d+$/.test(offset)) throw new Setback('The server did not report the upload’s progress.')
  return { received: Number(offset) }
}

function asSetback(error: unknown): unknown {
  if (!(error instanceof ApiError)) return new Setback('The server could not be reached.', { cause: error })
  return error.status >= 500 || error.status === 429 || error.status === 408 ? new Setback(error.detail, { cause: error }) : error
}

/** `fetch` does not report upload progress. */
function sent(url: string, { offset, data, signal, onProgress }: Piece): Promise<XMLHttpRequest> {
  const request = new XMLHttpRequest()
  request.open('PATCH', url)
  request.setRequestHeader('content-type', PIECE_TYPE)
  request.setRequestHeader('upload-offset', String(offset))
  request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
  signal.addEventListener('abort', () => request.abort())
  return new Promise((resolve, reject) => {
    request.addEventListener('load', () => resolve(request))
    for (const event of ['error', 'abort', 'timeout']) {
      request.addEventListener(event, () => reject(new Setback('Connection lost.')))
    }
    request.send(data)
  })
}

function readProblem(text: string) {
  try {
    return problem.safeParse(JSON.parse(text)).data
  } catch {
    // A proxy may send HTML.
    return undefined
  }
}
