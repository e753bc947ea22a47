# A person at a terminal, for tests: runs a command on a pseudo-terminal and types. Input (stdin): JSON list of
# [text to wait for, text to type]; "{word}" types the seed word that is asked for. Output: JSON {screen, exit}.
import json, os, pty, re, select, sys, time

steps = json.load(sys.stdin)
pid, fd = pty.fork()
if pid == 0:
    os.environ.update(TERM='xterm', COLUMNS='120', LINES='50')
    os.execvp(sys.argv[1], sys.argv[1:])

raw = ''
seen = 0
plain = lambda: re.sub(r'\x1b\[[0-9;?]*[A-Za-z]', '', raw)


def read(seconds):
    global raw
    if not select.select([fd], [], [], seconds)[0]:
        return True
    try:
        data = os.read(fd, 65536)
    except OSError:
        return False
    raw += data.decode('utf8', 'replace')
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
            return


def seed_word():
    number = re.findall(r'Type word (\d+)', plain())[-1]
    return dict(re.findall(r'(\d{1,2}) ([a-z]{3,8})(?=\s)', plain())).get(number, '?')


for text, answer in steps:
    wait_for(text)
    read(0.2)
    os.write(fd, answer.replace('{word}', seed_word() if '{word}' in answer else '').encode())
end = time.time() + 30
while read(0.5) and time.time() < end:
    if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        break
else:
    if time.time() >= end:
        os.kill(pid, 9)
_, status = os.waitpid(pid, 0)
print(json.dumps({'screen': plain(), 'exit': os.waitstatus_to_exitcode(status)}))
