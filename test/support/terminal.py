# A person at a terminal, for tests: runs a command on a pseudo-terminal and types. Input (stdin): JSON list of
# [text to wait for, text to type]; "{word}" types the seed word that is asked for, "{get URL}" types nothing and asks
# a web server meanwhile. Output: JSON {screen, raw, exit, missed, gets}. TERMINAL_COLUMNS sets the width.
import codecs, fcntl, json, os, pty, re, select, struct, sys, termios, time, urllib.request

steps = json.load(sys.stdin)
columns = int(os.environ.get('TERMINAL_COLUMNS', '120'))
pid, fd = pty.fork()
if pid == 0:
    os.environ.update(TERM='xterm', COLUMNS=str(columns), LINES='50')
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 50, columns, 0, 0))
    os.execvp(sys.argv[1], sys.argv[1:])

raw = ''
decoder = codecs.getincrementaldecoder('utf8')('replace')  # a read may end within a character
seen = 0
missed = []
gets = []
plain = lambda: re.sub(r'\x1b\[[0-9;?]*[A-Za-z]', '', raw)


def read(seconds):
    global raw
    if not select.select([fd], [], [], seconds)[0]:
        return True
    try:
        data = os.read(fd, 65536)
    except OSError:
        return False
    raw += decoder.decode(data)
    return bool(data)


def wait_for(text):
    global seen
    end = time.time() + 30
    while time.time() < end:
        at = plain().find(text, seen)
        if at >= 0:
            seen = at + len(text)
            return
        if not read(0.2):
            break
    missed.append(text)


def seed_word():
    number = re.findall(r'Type word (\d+)', plain())[-1]
    return dict(re.findall(r'(\d{1,2}) ([a-z]{3,8})(?=\s)', plain())).get(number, '?')


def get(url):
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            gets.append(answer.read().decode())
    except OSError as error:
        gets.append(str(error))


def answer_with(text):
    asked = re.fullmatch(r'\{get (.*)\}', text)
    if asked:
        return get(asked[1])
    read(0.05)
    try:
        os.write(fd, text.replace('{word}', seed_word() if '{word}' in text else '').encode())
    except OSError:
        missed.append('a reader')


for text, answer in steps:
    wait_for(text)
    answer_with(answer)
end = time.time() + 30
while read(0.5) and time.time() < end:
    if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        break
else:
    if time.time() >= end:
        os.kill(pid, 9)
while select.select([fd], [], [], 0.1)[0] and read(0):
    pass
_, status = os.waitpid(pid, 0)
print(json.dumps({'screen': plain(), 'raw': raw, 'exit': os.waitstatus_to_exitcode(status), 'missed': missed, 'gets': gets}))
