import { hashPassword } from '#app/auth/sessions/hashing.server.ts'
import { checkPasswordLength, isShortForStaff } from '#app/auth/sessions/password.server.ts'

type Given = { password: string | undefined; importedHash: string | undefined }

/** Hashes an administrator's password, or passes on an imported hash. The length of an imported one is unknown until its next use. */
export async function hashGiven({ password, importedHash }: Given): Promise<{ passwordHash: string | undefined; passwordShort: boolean }> {
  if (!password) return { passwordHash: importedHash, passwordShort: false }
  checkPasswordLength(password)
  return { passwordHash: await hashPassword(password), passwordShort: isShortForStaff(password) }
}
