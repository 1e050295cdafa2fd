/* The command `mcptap`: starts Python where the environment of the server can't reach it.
 *
 * A client's environment is meant for the server. Python would read it before our first line runs,
 * and a PYTHONHOME, a PYTHONHASHSEED or a preloaded library can end it there. So for `mcptap run`
 * every entry of the environment gets a mark in front, which makes it one that nobody knows, and the
 * tap takes the marks off for the server. And what Python would hide is told to it:
 *
 *     python -I -S -X utf8 -X mcptap=IGNORED,BLOCKED,MARK mcptap-python run …
 *
 * IGNORED and BLOCKED are the signals that were ignored and blocked at our start, bit N-1 for
 * signal N, in hexadecimal. SIGINT is blocked on the way, since Python would answer it with a traceback.
 * MARK is empty if the environment has no room for marks.
 *
 * The interpreter is the one that the installer named in the first line of `mcptap-python`, which lies
 * beside this program. mcptap/shim/launched.py is the other half.
 */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#define MARK '.'
#define SUFFIX "-python"
#define ROOM (PATH_MAX + sizeof SUFFIX)

#define MEMORY (40 << 20) /* bytes, for Python and the tap; with less either would fail at a bad moment */

extern char **environ;

static char **arguments; /* those behind the name of the command */

/* Whether it may be `mcptap run`, or options before a `--`: mcptap/cli.py decides. */
static int may_run(void)
{
    return *arguments && (strcmp(*arguments, "run") == 0 || **arguments == '-');
}

/* Say why mcptap can't be started; a server that is named behind `--` is started all the same. */
static int fail(const char *what, const char *path, int code)
{
    char **server = arguments;
    int quiet = 0;
    for (; *server && strcmp(*server, "--") != 0; server++)
        quiet |= strcmp(*server, "--quiet") == 0 || strcmp(*server, "-q") == 0;
    int runs = *server && server[1] && may_run();
    if (!runs || !quiet)
        fprintf(stderr, "mcptap: %s %s: %s%s\n", what, path, strerror(code), runs ? "; the server runs unrecorded" : "");
    if (runs) {
        execvp(server[1], server + 1);
        code = errno;
        fprintf(stderr, "mcptap: cannot start %s: %s\n", server[1], strerror(code));
    }
    return code == ENOENT ? 127 : 126;
}

/* Whether the limits on memory leave room for Python, which would end with a traceback. */
static int has_room(void)
{
    void *room = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    return room != MAP_FAILED && munmap(room, MEMORY) == 0;
}

/* Whether stdin is a folder, for which Python would not start. */
static int reads_folder(void)
{
    struct stat status;
    return fstat(STDIN_FILENO, &status) == 0 && S_ISDIR(status.st_mode);
}

/* The path of this program, links resolved, into `path`; whether it is known. */
static int own_path(char *path)
{
#ifdef __linux__
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length > 0) {
        path[length] = '\0';
        return 1;
    }
    return realpath((const char *)getauxval(AT_EXECFN), path) != NULL;
#elif defined(__APPLE__)
    char found[PATH_MAX];
    uint32_t size = sizeof found;
    return _NSGetExecutablePath(found, &size) == 0 && realpath(found, path) != NULL;
#else
    return 0;
#endif
}

/* The interpreter of a script, into `python`; 0 or an errno. */
static int read_interpreter(const char *script, char *python)
{
    int file = open(script, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno;
    ssize_t length = read(file, python, PATH_MAX - 1);
    int code = errno;
    close(file);
    if (length < 0)
        return code;
    python[length] = '\0';
    python[strcspn(python, "\n")] = '\0';
    if (strncmp(python, "#!", 2) != 0)
        return ENOEXEC;
    memmove(python, python + 2, strlen(python + 2) + 1);
    if (strcmp(python, "/bin/sh") == 0) {
        /* An installer's way around a path that is too long for a first line; then it is an environment's. */
        strcpy(python, script);
        strcpy(strrchr(python, '/') + 1, "python3");
    }
    return 0;
}

/* The signals that are ignored and blocked, as the option of Python that tells them. SIGINT is blocked then. */
static void take_signals(char *option, size_t room, sigset_t *before)
{
    unsigned long long ignored = 0, blocked = 0;
    struct sigaction action;
    sigset_t interrupt;

    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, before);
    for (int number = 1; number <= 64; number++) {
        unsigned long long bit = 1ULL << (number - 1);
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
            ignored |= bit;
        if (sigismember(before, number) == 1)
            blocked |= bit;
    }
    snprintf(option, room, "mcptap=%llx,%llx,%c", ignored, blocked, MARK);
}

/* One heap for all threads: where memory is limited, a heap of its own would take a thread the room for its first object. */
#define OWN_ENTRY "MALLOC_ARENA_MAX=1"

/* The environment with a mark before each entry, and an entry of ours; or NULL if there is no memory for it. */
static char **marked(char **entries)
{
    size_t count = 0, size = 0;
    for (; entries[count]; count++)
        size += strlen(entries[count]) + 2;
    char **result = malloc((count + 2) * sizeof *result);
    char *text = malloc(size + 1);
    if (!result || !text)
        return NULL;
    for (size_t index = 0; index < count; index++) {
        result[index] = text;
        *text++ = MARK;
        text = stpcpy(text, entries[index]) + 1;
    }
    result[count] = OWN_ENTRY;
    result[count + 1] = NULL;
    return result;
}

int main(int argc, char **argv)
{
    char script[ROOM], python[ROOM], option[64];

    arguments = argc > 0 ? argv + 1 : argv;
    if (!own_path(script))
        return fail("cannot find", "its own folder", ENOENT);
    strcat(script, SUFFIX);
    int code = read_interpreter(script, python);
    if (code)
        return fail("cannot read", script, code);

    if (may_run() && !has_room())
        return fail("cannot start", python, ENOMEM);
    if (may_run() && reads_folder())
        return fail("cannot read", "stdin", EISDIR);
    char **words = malloc((argc + 9) * sizeof *words);
    if (!words)
        return fail("cannot start", python, ENOMEM);
    if (may_run()) { /* Other commands serve nobody, and start as usual. */
        char *isolated[] = {python, "-I", "-S", "-X", "utf8", "-X", option, script};
        size_t count = sizeof isolated / sizeof *isolated;
        char **entries = marked(environ);
        sigset_t before;
        take_signals(option, sizeof option, &before);
        memcpy(words, isolated, sizeof isolated);
        memcpy(words + count, arguments, argc * sizeof *words);
        if (entries)
            execve(python, words, entries);
        if (!entries || errno == E2BIG) {
            option[strlen(option) - 1] = '\0';
            execve(python, words, environ);
        }
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
    execve(script, argv, environ); /* whatever its first line is, if it is not too long and has no spaces */
    words[0] = python;
    words[1] = script;
    memcpy(words + 2, arguments, (argc > 0 ? argc : 1) * sizeof *words);
    execve(python, words, environ);
    return fail("cannot start", python, errno);
}
