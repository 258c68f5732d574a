# What `document-build` builds on the machine: a library of small files with tcc, and a copy of
# source and programs with its checksum, as for a release. COPY is another folder each time.
# `first` warms up.

FLAGS = -w -nostdinc -I/musl/src/include -I/musl/src/internal -I/musl/include -I/musl/i386 \
        -I/lib/tcc/include
.include "parts.mk"

release: library copy

.for part in $(PARTS)
objects/$(part:T:R).o: /musl/src/$(part)
	tcc $(FLAGS) -c -o $@ /musl/src/$(part)
OBJECTS += objects/$(part:T:R).o
.endfor

first: $(OBJECTS:[1])

library: $(OBJECTS)
	tcc -ar rcs $@.a $(OBJECTS)

copy:
	mkdir $(COPY)
	cp -r $(COPIED:S,^,/musl/src/,) /bin/tcc /bin/bmake $(COPY)
	cat $(COPY)/tcc $(COPY)/bmake $(COPY)/*/*.c > $(COPY)/release
	cksum $(COPY)/release > $(COPY)/checksum
