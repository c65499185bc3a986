// The system of a real machine: 512 bytes that a BIOS boots. It prints its name and the text stored on its disk on screen and serial line, stores the last line that is
// typed, uses the processor fully between one % and the next, and switches off when the power button is pressed. So no image has to be downloaded.

/** Machine code in hexadecimal | its assembly. Addresses: 0x7a00 the drive, 0x7a02 busy, 0x7da0 the name, 0x8000 the line. */
const PROGRAM = `
fc             |          cld
31 c0          |          xor ax,ax
8e d8          |          mov ds,ax
8e c0          |          mov es,ax
8e d0          |          mov ss,ax
bc 00 7c       |          mov sp,0x7c00
88 16 00 7a    |          mov 0x7a00,dl
a2 02 7a       |          mov 0x7a02,al
fb             |          sti
b8 e3 00       |          mov ax,0xe3
31 d2          |          xor dx,dx
cd 14          |          int 0x14
ba fa 03       |          mov dx,0x3fa ; the serial line keeps 16 keys
b0 07          |          mov al,0x7
ee             |          out dx,al
e4 a1          |          in al,0xa1
0c 02          |          or al,0x2 ; nobody answers its interrupt 9
e6 a1          |          out 0xa1,al
ba 02 06       |          mov dx,0x602 ; the power button is told of
b8 00 01       |          mov ax,0x100
ef             |          out dx,ax
b8 01 02       |          mov ax,0x201
e8 95 00       |          call disk
be d8 7c       |          mov si,hello
e8 75 00       |          call print
be a0 7d       |          mov si,0x7da0 ; its name
e8 6f 00       |          call print
be e3 7c       |          mov si,contents
e8 69 00       |          call print
be 00 80       |          mov si,0x8000 ; what the disk has kept
e8 63 00       |          call print
e8 5d 00       |          call newline
be ec 7c       | ask:     mov si,prompt
e8 5a 00       |          call print
bf 00 80       |          mov di,0x8000
ba 00 06       | wait:    mov dx,0x600 ; pressed?
ed             |          in ax,dx
f6 c4 01       |          test ah,0x1
75 12          |          jne off
ba fd 03       |          mov dx,0x3fd ; a key?
ec             |          in al,dx
a8 01          |          test al,0x1
75 12          |          jne key
80 3e 02 7a 00 |          cmp 0x7a02,0x0
75 e8          |          jne wait
f4             |          hlt ; until the clock ticks
eb e5          |          jmp wait
ba 04 06       | off:     mov dx,0x604 ; S5: off
b8 00 20       |          mov ax,0x2000
ef             |          out dx,ax
f4             |          hlt
ba f8 03       | key:     mov dx,0x3f8
ec             |          in al,dx
3c 0d          |          cmp al,0xd
74 15          |          je enter
3c 25          |          cmp al,0x25 ; %: busy from now on, or idle again
75 05          |          jne plain
80 36 02 7a 01 |          xor 0x7a02,0x1
81 ff f0 81    | plain:   cmp di,0x81f0 ; as long as a line may be
73 c6          |          jae wait
aa             |          stos [di],al
e8 23 00       |          call put
eb c0          |          jmp wait
81 ff 00 80    | enter:   cmp di,0x8000
74 0c          |          je again
30 c0          |          xor al,al
aa             |          stos [di],al
e8 08 00       |          call newline
b8 01 03       |          mov ax,0x301
e8 1f 00       |          call disk
eb a3          | again:   jmp ask
be ef 7c       | newline: mov si,crlf
ac             | print:   lods al,[si]
84 c0          |          test al,al
74 14          |          je done
e8 02 00       |          call put
eb f6          |          jmp print
50             | put:     push ax
b4 0e          |          mov ah,0xe ; to the screen
bb 07 00       |          mov bx,0x7
cd 10          |          int 0x10
58             |          pop ax
b4 01          |          mov ah,0x1 ; to the serial line
31 d2          |          xor dx,dx
cd 14          |          int 0x14
c3             | done:    ret
bb 00 80       | disk:    mov bx,0x8000
b9 02 00       |          mov cx,0x2 ; the second sector
30 f6          |          xor dh,dh
8a 16 00 7a    |          mov dl,0x7a00
cd 13          |          int 0x13
c3             |          ret
`;
const TEXTS = '\r\nmachine \0\r\nkept: \0> \0\r\n\0';

const SECTOR = 512;
const NAME_AT = 0x1a0;
const SIZE = 1_048_576;
/** The prompt that the system prints when it is ready for input. */
export const READY = '\r\n> ';

/** A whole disk image: the system and the stored line. */
export function diskImage(name: string, contents: string): Buffer {
  const image = Buffer.alloc(SIZE);
  const code = PROGRAM.trim()
    .split('\n')
    .map((row) => (row.split('|')[0] ?? '').replaceAll(' ', ''))
    .join('');
  image.write(code, 'hex');
  image.write(TEXTS, code.length / 2, 'latin1');
  image.write(name.slice(0, 80), NAME_AT, 'latin1');
  image.writeUInt16LE(0xaa55, SECTOR - 2);
  image.write(contents.slice(0, SECTOR - 17), SECTOR, 'latin1');
  return image;
}

/** The sector with the stored line, and the line in it. */
export const KEPT_SECTOR = { position: SECTOR, length: SECTOR };
export const keptIn = (sector: Buffer): string => sector.toString('latin1').split('\0')[0] ?? '';
