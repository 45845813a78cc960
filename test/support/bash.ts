/**
 * Arguments of a `bash` that Node starts. Without `--norc`, it takes Node's pipe for a network connection and reads the
 * `~/.bashrc` of the user, which may print, or wait for a lock.
 */
export const BASH_ARGS = ['--norc', '-c'] as const;
